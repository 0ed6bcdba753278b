export interface LabelsTable {
  label: number;
  name: string;
}
