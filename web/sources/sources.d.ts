/** What the build makes of `import('../../sources/FILE.c?functions=NAME+NAME')`. */
declare module '../../sources/*' {
  export const functions: { name: string; file: string; line: number; html: string }[];
}

/** What the build takes from the records of PyTorch and from the lesson, for figures to compare with. */
declare module '../../sources/recorded/*' {
  export const torch: string;
  export const output: number[];
  export const causal_output: number[];
  export const lines: string[];
}
