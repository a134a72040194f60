import type { Receipt } from '#domain/contracts/log-proofs.ts';
import { tokenStyles } from '#web/ui/theme/tokens.ts';
import receiptStyles from './receipt.css?raw';
import script from './receipt-script.ts?bundled';

export interface Kept {
  readonly receipt: Receipt;
  /** Public keys, base64url. */
  readonly keys: readonly string[];
  readonly site: string;
}

/** Escapes `<`, so that the JSON can't end its script element. */
const inPage = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('<', '\\u003c');

/** Its content security policy forbids loading and sending. */
export const receiptPage = ({ receipt, keys, site }: Kept): string => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt: entry ${receipt.index + 1}</title>
<style>${tokenStyles()}${receiptStyles}</style>
</head>
<body>
<main><noscript><h1>Receipt</h1><p>This page checks itself by a script, which this browser doesn’t run. Please open it in another.</p></noscript></main>
<script type="application/json" id="receipt">${inPage(receipt)}</script>
<script type="application/json" id="published">${inPage({ keys, site })}</script>
<script>${script}</script>
</body>
</html>
`;
