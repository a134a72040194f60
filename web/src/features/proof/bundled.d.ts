/** A script of ours with all that it imports, as one text (`web/vite.config.ts`). */
declare module '*?bundled' {
  const script: string;
  export default script;
}
