import { say } from '../../vision/engine-messages.ts';
import { type Inspector, openInspector } from '../../vision/inspection/open-inspector.ts';
import { decodeModel } from '../../vision/model-file/model-file.ts';
import { compileSteps } from '../../vision/preprocess/compile-steps.ts';
import type { BackboneFile } from '../../vision/types.ts';
import { VisionError } from '../../vision/vision-error.ts';

/** The models that a compute process has been told to keep open, by the hash of their bytes. */
export class OpenModels {
  readonly #backbones = new Map<string, BackboneFile>();
  readonly #models = new Map<string, Promise<Inspector>>();

  addBackbone(hash: string, file: BackboneFile): void {
    this.#backbones.set(hash, file);
  }

  open(hash: string, model: Uint8Array, backboneHash: string): void {
    const opened = this.#openModel(model, backboneHash);
    // The error is thrown to the task that asks for the model.
    opened.catch(() => {});
    this.#models.set(hash, opened);
  }

  async #openModel(model: Uint8Array, backboneHash: string): Promise<Inspector> {
    const backbone = this.#backbones.get(backboneHash);
    if (!backbone) throw new Error(`The backbone ${backboneHash} was not sent before the model.`);
    const { steps, references } = decodeModel(model).preprocessing;
    return await openInspector(model, backbone, await compileSteps(steps, new Map(Object.entries(references))));
  }

  /** @throws VisionError where the model can't be opened; it is forgotten then. */
  async get(hash: string): Promise<Inspector> {
    const model = this.#models.get(hash);
    if (!model) throw new VisionError('invalid_model', say('model.not-open', { hash }));
    try {
      return await model;
    } catch (error) {
      this.#models.delete(hash);
      throw error;
    }
  }

  has(hash: string): boolean {
    return this.#models.has(hash);
  }

  async close(hash: string): Promise<void> {
    const model = this.#models.get(hash);
    this.#models.delete(hash);
    await model?.then((inspector) => inspector.dispose());
  }
}
