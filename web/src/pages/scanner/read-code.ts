import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';

/** What a picture of the camera shows in the guide. */
export interface Sight {
  /** The text of the code in it. */
  readonly text?: string;
  /** Whether a code is in it that could not be read. */
  readonly unread: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The guide's side as a share of the picture's shorter one. The guide is drawn in `scanner.tsx`. */
const GUIDE = 0.72;

const THOROUGH: ReaderOptions = { formats: ['QRCode'], maxNumberOfSymbols: 4 };
const QUICK: ReaderOptions = { ...THOROUGH, tryHarder: false, tryDownscale: false, tryInvert: false };

/**
 * Gets ZXing-C++ ready to read. Left alone, the library would fetch its WebAssembly from somebody else's server.
 * @param wasm where on our own server it is, or its bytes
 * @throws when it can't be fetched or compiled
 */
export const prepareReading = async (wasm: string | ArrayBuffer): Promise<void> => {
  const overrides = typeof wasm === 'string' ? { locateFile: () => wasm } : { wasmBinary: wasm };
  await prepareZXingModule({ overrides, fireImmediately: true });
};

/**
 * The codes whose middle is in the guide, the most central first: neither a poster on the wall nor the ticket of whoever comes next
 * is meant.
 */
export const inGuide = <Code>(
  codes: readonly Code[],
  { width, height }: { readonly width: number; readonly height: number },
  cornersOf: (code: Code) => readonly Point[],
): readonly Code[] => {
  const reach = (GUIDE * Math.min(width, height)) / 2;
  return codes
    .map((code) => {
      const corners = cornersOf(code);
      const x = corners.reduce((sum, corner) => sum + corner.x, 0) / corners.length;
      const y = corners.reduce((sum, corner) => sum + corner.y, 0) / corners.length;
      return { code, off: Math.max(Math.abs(x - width / 2), Math.abs(y - height / 2)) };
    })
    .filter(({ off }) => off <= reach)
    .sort((a, b) => a.off - b.off)
    .map(({ code }) => code);
};

const cornersOf = ({ position }: ReadResult): readonly Point[] => [
  position.topLeft,
  position.topRight,
  position.bottomRight,
  position.bottomLeft,
];

/** Reads the code in a picture. `prepareReading` comes first. */
export const readCode = async (picture: ImageData): Promise<Sight> => {
  const find = async (options: ReaderOptions) =>
    inGuide(await readBarcodes(picture, options), picture, cornersOf);
  // Asked for codes with errors as well, the library ends at one of them, so this is for those that are easy to read.
  const seen = await find({ ...QUICK, returnErrors: true });
  const [code] = seen.some(({ isValid }) => isValid)
    ? seen.filter(({ isValid }) => isValid)
    : await find(THOROUGH);
  return code ? { text: code.text, unread: false } : { unread: seen.length > 0 };
};
