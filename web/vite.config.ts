import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import * as fields from '../domain/contracts/fields.ts';
import { tokenStyles } from './src/ui/theme/tokens.ts';

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** `import 'virtual:tokens.css'`: the design tokens as custom properties, in the stylesheet that the page loads first. */
const tokenSheet = (): Plugin => ({
  name: 'token-sheet',
  resolveId: (id) => (id === 'virtual:tokens.css' ? '\0virtual:tokens.css' : undefined),
  load: (id) => (id === '\0virtual:tokens.css' ? tokenStyles() : undefined),
});

/** Preloads the two fonts that every page sets its first line with. */
const fontPreload = (): Plugin => ({
  name: 'font-preload',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, context) =>
      Object.keys(context.bundle ?? {})
        .filter((file) => /-latin-(opsz|wght)-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
});

/** Compresses what was built once, so that the server never has to (it sends `.br` and `.gz` where they are). */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    await Promise.all(
      Object.keys(bundle)
        .filter((file) => /\.(js|css|svg|json|wasm)$/.test(file))
        .map(async (file) => {
          const bytes = await readFile(join(dir, file));
          await writeFile(join(dir, `${file}.gz`), await gzipped(bytes, { level: 9 }));
          await writeFile(join(dir, `${file}.br`), await brotlied(bytes));
        }),
    );
  },
});

/** The reader of codes, which a worker of its own fetches, and the fonts that every page sets its first line with. */
const ALWAYS_KEPT = /reader-worker-|\.wasm$|-latin-(opsz|wght)-normal.*\.woff2$/;

/** Lists the files that the scanner's page is made from, which devices keep to open it without a network: `/scanner-files.json`. */
const scannerFiles = (): Plugin => ({
  name: 'scanner-files',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = new Set(Object.keys(bundle).filter((file) => ALWAYS_KEPT.test(file)));
      const add = (file: string, lazily: boolean): void => {
        const chunk = bundle[file];
        if (files.has(file) || chunk?.type !== 'chunk') return;
        files.add(file);
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
        for (const one of chunk.imports) add(one, lazily);
        if (lazily) for (const one of chunk.dynamicImports) add(one, true);
      };
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { fileName } of chunks.filter(({ isEntry }) => isEntry)) add(fileName, false);
      for (const { fileName } of chunks.filter(({ facadeModuleId }) =>
        facadeModuleId?.endsWith('/features/door/scanner.tsx'),
      ))
        add(fileName, true);
      const source = JSON.stringify([...files].map((file) => `/${file}`));
      this.emitFile({ type: 'asset', fileName: 'scanner-files.json', source });
    },
  },
});

/** A declaration of calls in `domain/contracts`. */
const CALLS = /^export const (\w+Calls) = \{$[\s\S]*?^\};$/gm;

/**
 * Gives the client only the method and the path of each declared call, in a module of its own: the schemas that servers check
 * with, and zod with them, stay out of the pages. A form that checks its input imports its schema by name.
 */
const bareCalls = (): Plugin => ({
  name: 'bare-calls',
  enforce: 'pre',
  transform: (code, id) =>
    /[\\/]domain[\\/]contracts[\\/][\w-]+\.ts$/.test(id)
      ? code.replace(CALLS, (_, name) => `export { ${name} } from '${id}?calls';`)
      : undefined,
  async load(id) {
    const [file = '', query] = id.split('?');
    if (query !== 'calls') return undefined;
    const contracts: Record<string, object> = await import(pathToFileURL(file).href);
    const declared = Object.entries(contracts).filter(([name]) => name.endsWith('Calls'));
    return declared
      .map(([name, calls]) => [name, JSON.stringify(calls, ['method', 'path', ...Object.keys(calls)])])
      .map(([name, bare]) => `export const ${name} = ${bare};`)
      .join('\n');
  },
});

const BUNDLED = '?bundled';

/** `import script from './file.ts?bundled'`: a script with all that it imports, as one text, for a page that people keep as a file. */
const bundledText = (): Plugin => ({
  name: 'bundled-text',
  async load(id) {
    if (!id.endsWith(BUNDLED)) return undefined;
    const entry = id.slice(0, -BUNDLED.length);
    this.addWatchFile(entry);
    const [built] = [
      await build({
        configFile: false,
        logLevel: 'error',
        plugins: [bareCalls()],
        build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'script' } },
      }),
    ].flat();
    const chunk = built && 'output' in built ? built.output[0] : undefined;
    if (!chunk) throw new Error(`${entry} could not be bundled`);
    // What stands in a page must not end its element.
    return `export default ${JSON.stringify(chunk.code.replaceAll('</', '<\\/'))};`;
  },
});

/**
 * The barrel of `tamagui` pulls in parts that want react-native-web; the kit uses the core alone. The core is a dependency
 * of that package, so it is found from there.
 */
const tamaguiCore = createRequire(import.meta.resolve('tamagui'))
  .resolve('@tamagui/core')
  .replace(/dist[\\/]cjs[\\/].*$/, 'dist/esm/index.mjs');

/** What the router's package names is its development build, with warnings for whoever writes routes. */
const router = join(
  createRequire(import.meta.resolve('react-router-dom')).resolve('react-router'),
  '../../production/index.mjs',
);

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:3000';
/** As if its own pages had asked: a start takes changes from no others. */
const api = { target: apiUrl, headers: { origin: new URL(apiUrl).origin } };

/** What only the build for browsers makes: `vite build --ssr` builds what renders pages on the server (`src/app/server.tsx`). */
const forBrowsers = (): Plugin[] => [fontPreload(), scannerFiles(), precompress()];

export default defineConfig(({ isSsrBuild = false }) => ({
  root: import.meta.dirname,
  plugins: [bareCalls(), bundledText(), react(), tokenSheet(), ...(isSsrBuild ? [] : forBrowsers())],
  resolve: {
    alias: [
      { find: /^tamagui$/, replacement: tamaguiCore },
      { find: /^react-router$/, replacement: router },
      {
        find: /^@tamagui\/use-element-layout$/,
        replacement: join(import.meta.dirname, 'src/ui/theme/no-layout.ts'),
      },
    ],
  },
  define: {
    'process.env.TAMAGUI_TARGET': '"web"',
    // A build for servers leaves it to them: React would then bring its checks along.
    ...(isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {}),
  },
  // One folder that needs no other.
  ssr: { noExternal: true },
  server: {
    proxy: {
      ...{ '/api': api, '/sandbox': api, '/images': api },
      // One address for the page and its call.
      '/newsletter-unsubscribe': { ...api, bypass: ({ method, url }) => (method === 'POST' ? null : url) },
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: isSsrBuild ? 'dist-server' : 'dist',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    modulePreload: { polyfill: false },
    // No inlined assets: the Content-Security-Policy allows fonts and scripts from this site only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Making a schema changes nothing outside it: contracts that a page doesn't check stay out of its bundle.
      treeshake: {
        // A name stands for its members too: `event` here would remove every `event.preventDefault()`.
        manualPureFunctions: [
          ...['z', 'listQuery', 'said', 'defineEvent', 'defineBookingEvent'],
          ...Object.keys(fields),
        ],
        moduleSideEffects: [{ test: /[\\/]domain[\\/]/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'checks',
              test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]domain[\\/]contracts[\\/]fields/,
              priority: 4,
            },
            // domain/kernel/zone.ts is used by the first page: beside a contract that uses it, it would bring the contracts and zod along.
            {
              name: 'calls',
              test: /[\\/]domain[\\/](kernel[\\/]zone|contracts[\\/](envelope|site|(auth|catalogue|newsletter)\.ts\?calls$))/,
              priority: 3,
            },
            // What the first page doesn't call.
            { name: 'other-calls', test: /[\\/]domain[\\/]contracts[\\/].*\?calls$/, priority: 3 },
            { name: 'contracts', test: /[\\/]domain[\\/]contracts[\\/]/, priority: 2 },
            // What every page loads is in as few files as change apart: the libraries, and our own.
            {
              name: 'frame',
              tags: ['$initial'],
              test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router|@tamagui|@tanstack)[\\/]/,
              priority: 1,
            },
            { name: 'every-page', tags: ['$initial'], test: /[\\/]web[\\/]src[\\/](?!app[\\/]main\.)/ },
            // Each of these, and of what pages say of an event, is so small that its name would cost as much.
            {
              name: 'lib',
              test: /[\\/]web[\\/]src[\\/]lib[\\/](api[\\/](ask-until|logged-out|refetch)|formatters[\\/](count|first-letter)|roles|text-in|kept-focus)\./,
            },
            {
              name: 'event-words',
              test: /[\\/]web[\\/]src[\\/](lib[\\/]formatters[\\/](age|money|when)|features[\\/]events[\\/]stock|ui[\\/]badge)\./,
            },
          ],
        },
      },
    },
  },
}));
