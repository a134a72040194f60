import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The exit code after an option that the program does not have. */
const MISUSED = 2;

/**
 * The values of a program's options on the command line. `--help` prints `help` and ends the process with 0; an unknown
 * option prints an error and `help` and ends it with 2.
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
