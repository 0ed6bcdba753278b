// Node-RED itself, without its editor: runs the flow of a folder, tells its parent what each debug node shows, and
// presses the button of the node that the parent names.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const [, , packages, folder] = process.argv;
const load = createRequire(`${packages}/package.json`);
const runtime = load('@node-red/runtime');
const util = load('@node-red/util');
const settings = {
  userDir: folder,
  flowFile: 'flow.json',
  coreNodesDir: dirname(load.resolve('@node-red/nodes')),
  httpAdminRoot: false,
  credentialSecret: false,
  telemetry: { enabled: false },
  logging: { console: { level: 'error' } },
};
util.init(settings);
runtime.init(settings);
util.events.on('comms', ({ topic, data }) => {
  if (topic === 'debug' && data.id) process.send?.({ name: data.name, shown: JSON.parse(data.msg) });
});
process.on('message', (id) => runtime._.nodes.getNode(id).receive());
process.on('disconnect', () => process.exit());
await runtime.start();
