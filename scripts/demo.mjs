process.argv.splice(2, 0, 'demo');
await import('./kensa.mjs');
