import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';

export interface Sight {
  readonly text?: string;
  readonly unread: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const GUIDE = 0.72;

const THOROUGH: ReaderOptions = { formats: ['QRCode'], maxNumberOfSymbols: 4 };
const QUICK: ReaderOptions = { ...THOROUGH, tryHarder: false, tryDownscale: false, tryInvert: false };

/**
 * By default the library would fetch its WebAssembly from a third-party server.
 * @param wasm address on our server, or the bytes
 * @throws when it can't be fetched or compiled
 */
export const prepareReading = async (wasm: string | ArrayBuffer): Promise<void> => {
  const overrides = typeof wasm === 'string' ? { locateFile: () => wasm } : { wasmBinary: wasm };
  await prepareZXingModule({ overrides, fireImmediately: true });
};

/** Codes whose centre is in the guide, most central first; ignores posters and the next guest's ticket. */
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

export const readCode = async (picture: ImageData): Promise<Sight> => {
  const find = async (options: ReaderOptions) =>
    inGuide(await readBarcodes(picture, options), picture, cornersOf);
  // With `returnErrors` the library stops at an erroneous code, so this pass only finds easy ones.
  const seen = await find({ ...QUICK, returnErrors: true });
  const [code] = seen.some(({ isValid }) => isValid)
    ? seen.filter(({ isValid }) => isValid)
    : await find(THOROUGH);
  return code ? { text: code.text, unread: false } : { unread: seen.length > 0 };
};
