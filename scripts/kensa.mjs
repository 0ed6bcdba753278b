// `npm run -s kensa -- …`: sets up when needed, then runs the command line.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, root } from './setup.mjs';

ensureBuilt();
process.argv[1] = join(root, 'dist', 'cli', 'kensa.js');
await import(pathToFileURL(process.argv[1]).href);
