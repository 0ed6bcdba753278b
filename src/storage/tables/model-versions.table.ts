/** The highest version that a model of an algorithm and target was given, deleted ones included. */
export interface ModelVersionsTable {
  algorithm_id: string;
  context_id: number;
  version: number;
}
