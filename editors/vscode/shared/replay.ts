// What the page shows of a replay: recorded calls of tools, held against the tools and skills of today.

export type Verdict = 'pass' | 'drift' | 'fail';

export interface ReplayedCall {
  file: string;
  line: number; // from 1; 0 when it is not known
  server?: string;
  tool: string;
  verdict: Verdict;
  messages: string[];
}

export interface Replay { file: string; calls: ReplayedCall[]; markdown?: string }
