import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|html|svg)$/.test(name));
      for (const name of names) {
        const path = join(dir, name);
        await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
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
