import { writeFile } from 'node:fs/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { runTool } from '#infra/foundation/process.ts';
import { folderAndArgumentsOrExit } from '#infra/lib/arguments.ts';

const HELP = `Makes an identity for encrypted backups, writes it to a new file that only its owner can read, and prints its public key.

  npm run backup:identity -- FILE

Keep the file away from the site and its backups, and a copy of it: without it nobody can read them. The site needs the public key only.
The age tool reads it, and its age-keygen makes others.`;

const { folder: file } = folderAndArgumentsOrExit(HELP, {});
await runTool(async () => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# public key: ${recipient}\n${identity}\n`;
  await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  console.log(recipient);
});
