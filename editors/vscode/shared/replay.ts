// What the page shows of a replay: recorded calls of tools, held against the tools and skills of today.

export type Verdict = 'pass' | 'drift' | 'fail';

export interface ReplayedCall {
  file: string;
  line: number; // from 1
  name: string;
  verdict: Verdict;
  messages: string[];
}

export interface Replay { calls: ReplayedCall[]; notes: string[]; markdown?: string }

/** The answer to skill/replay, as far as it is read (schemas/replay.schema.json). Files are URIs. */
export interface ReplayReport {
  recordings: {file: string; error?: string}[];
  calls: {file: string; line: number; name: string; server?: string; tool?: string; findings: {severity: string; message: string; help?: string}[]}[];
  notes: string[];
  markdown?: string;
}

/** Takes from a report what is shown: a call that would go wrong fails, one with anything else to say about it drifts. */
export function replayOf(r: ReplayReport): Replay {
  const calls = r.calls.map((c): ReplayedCall => ({
    file: c.file, line: c.line, name: c.server && c.tool ? `${c.server}/${c.tool}` : c.name,
    verdict: c.findings.some((f) => f.severity === 'error') ? 'fail' : c.findings.length > 0 ? 'drift' : 'pass',
    messages: c.findings.map((f) => f.help ? `${f.message}: ${f.help}` : f.message),
  }));
  const broken = r.recordings.flatMap((f) => f.error ? [`${decodeURIComponent(f.file.split('/').at(-1) ?? '')}: ${f.error}`] : []);
  return {calls, notes: [...broken, ...r.notes], markdown: r.markdown};
}
