import { resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const MISUSED = 2;

const parsedOrExit = <const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
  allowPositionals: boolean,
) => {
  if (process.argv.slice(2).some((one) => one === '--help' || one === '-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exit(MISUSED);
  }
};

export const argumentsOrExit = <const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
) => parsedOrExit(help, options, false).values;

export const folderAndArgumentsOrExit = <const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
) => {
  const { values, positionals } = parsedOrExit(help, options, true);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    console.error(help);
    process.exit(MISUSED);
  }
  return { folder: resolve(folder), values };
};
