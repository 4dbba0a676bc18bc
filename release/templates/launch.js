#!/usr/bin/env node
// Starts the program of this name from the package of this platform, which npm installs beside this one.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

const program = path.basename(__filename, ".js");
const platform = `@skill-ls/${process.platform}-${process.arch}`;
const executable = process.platform === "win32" ? `${program}.exe` : program;

let file;
try {
  file = path.join(path.dirname(require.resolve(`${platform}/package.json`)), "bin", executable);
} catch {
  console.error(
    `${program}: the package ${platform} is not installed. npm leaves it out with --omit=optional, or there is no release for this platform.`,
  );
  process.exit(2);
}

const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`${program}: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
