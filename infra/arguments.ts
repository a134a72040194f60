import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The exit code of a program that was asked for something that it doesn't know. */
const MISUSED = 2;

/**
 * What a program was asked for on the command line. `--help` prints `help` and ends it; so does an option that there
 * isn't, with a word on it and exit code 2.
 */
export const argumentsOrExit = <const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
) => {
  if (process.argv.slice(2).some((one) => one === '--help' || one === '-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(MISUSED);
  }
};
