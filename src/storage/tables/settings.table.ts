/** Values that the service makes itself and must keep: keys, the license, the chosen defaults. */
export interface SettingsTable {
  key: string;
  value: string;
}
