import { Gauge, type Registry } from 'prom-client';
import type { SourceFigures, SourcesService } from './sources.service.ts';

/** Adds the figures of the sources that this server serves to `/metrics`. */
export function measureSources(registry: Registry, { listFigures }: Pick<SourcesService, 'listFigures'>): void {
  const add = (name: string, help: string, figure: (figures: SourceFigures) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['station', 'kind'],
      registers: [registry],
      collect() {
        // Stations come and go.
        this.reset();
        for (const figures of listFigures()) {
          this.set({ station: figures.name, kind: figures.kind }, figure(figures));
        }
      },
    });
  };
  add('kensa_source_ready', 'Whether the source of a station works: 1 or 0', ({ state }) => (state.fault ? 0 : 1));
  add('kensa_source_waiting', 'Files that wait to be stored', ({ state }) => state.waiting);
  add(
    'kensa_source_unreadable',
    'Files that are kept and cannot be read, 20 at most',
    ({ state }) => state.unreadable.length,
  );
  add('kensa_source_images', 'Images stored since this process started', ({ taken }) => taken);
}
