// Measures one row in a process of its own, so that the peak of memory is the row's: row-process.ts ROW DATA [NETWORKS].
// ROW is a planned row as JSON, DATA the folder of sets, NETWORKS a folder of networks. Prints the report as JSON.
import { join } from 'node:path';
import { measureBoxes, measureFolder } from './measured-report.ts';
import { BOX_SET, type PlannedRow } from './plan-rows.ts';

// As `kensa evaluate` does.
const [text = '{}', data = '.', networks] = process.argv.slice(2);
const row = JSON.parse(text) as PlannedRow;
const param = [`backbone=${row.backbone}`];
if (row.seed !== undefined) param.push(`seed=${row.seed}`);
if (row.imageSize !== undefined) param.push(`image_size=${row.imageSize}`);
const options = { algorithm: row.algorithm, param, backbones: networks };
const directory = join(data, row.set);
const report =
  row.set === BOX_SET
    ? await measureBoxes(directory, options)
    : await measureFolder(directory, options, {
        trainLimit: row.trainLimit,
        dirt: row.dirty,
        labelled: row.labelled,
      });
console.log(JSON.stringify(report));
