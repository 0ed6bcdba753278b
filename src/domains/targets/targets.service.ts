import { AppError } from '../../errors.ts';
import type { PreprocessingStep } from '../../vision/types.ts';
import type { TargetRow, TargetStore } from './target.store.ts';
import type { PreprocessingInput, TargetView } from './targets.schemas.ts';

export interface TargetsService {
  listTargets(): Promise<TargetView[]>;
  getTarget(targetId: string): Promise<TargetView>;
  setDefaultTarget(targetId: string): Promise<TargetView>;
  /** The active steps of the default target, and the blobs of their reference images by key, for a model to keep. */
  getTrainingSteps(): Promise<{ targetId: number; steps: PreprocessingStep[]; references: Record<string, string> }>;
}

export function createTargetsService(parts: { store: TargetStore }): TargetsService {
  const { store } = parts;

  const requireTarget = async (targetId: string): Promise<TargetRow> => {
    const target = /^\d{1,9}$/.test(targetId) ? await store.findTarget(Number(targetId)) : undefined;
    if (!target) throw new AppError('target-not-found', { id: targetId });
    return target;
  };

  return {
    listTargets: async () => (await store.listTargets()).map(view),
    getTarget: async (targetId) => view(await requireTarget(targetId)),
    async setDefaultTarget(targetId) {
      const target = await requireTarget(targetId);
      await store.setDefaultTarget(target.target_id, new Date().toISOString());
      return view({ ...target, is_default: 1 });
    },
    async getTrainingSteps() {
      const target = await store.getDefaultTarget();
      const active = (JSON.parse(target.preprocessing) as PreprocessingInput[]).filter((step) => step.active !== false);
      const steps = active.map(({ name, config }) => ({ name, config: JSON.parse(config ?? '{}') }));
      return { targetId: target.target_id, steps, references: {} };
    },
  };
}

function view(row: TargetRow): TargetView {
  return {
    target_id: row.target_id,
    name: row.name,
    preprocessing: JSON.parse(row.preprocessing) as PreprocessingInput[],
    is_default: row.is_default === 1,
  };
}
