/** What the build makes of `import('../../sources/FILE.c?functions=NAME+NAME')`. */
declare module '../../sources/*' {
  export const functions: { name: string; file: string; line: number; html: string }[];
}
