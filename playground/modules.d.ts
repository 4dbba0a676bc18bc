// What build.mjs puts in the place of these names.
declare module 'worker:code' { const code: string; export default code; }
declare module 'wasm_exec' {}
