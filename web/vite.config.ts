import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const server = process.env['KENSA_URL'] ?? 'http://127.0.0.1:8080';

/** Writes a .gz beside each text file, so that the server never compresses on request. */
function compressed(): Plugin {
  return {
    name: 'kensa-compressed',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const [fileName, output] of Object.entries(bundle)) {
        if (!/\.(js|css|html|svg)$/.test(fileName)) continue;
        const source = await promisify(gzip)(output.type === 'chunk' ? output.code : output.source, { level: 9 });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source });
      }
    },
  };
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), compressed()],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no inline data but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/docs', '/openapi.json'].map((path) => [path, { target: server }])),
  },
});
