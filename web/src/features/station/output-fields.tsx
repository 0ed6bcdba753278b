import type { Schemas } from '../../../../src/client/shapes.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ErrorNote, NumberField, NumberInput, Select, TextField } from '../../components/field.tsx';
import { type MessageKey, t } from '../../i18n/text.ts';
import { useModels } from '../model/use-models.ts';
import type { FieldsProps } from './station-dialog.tsx';
import { type OutputKind, outputTexts } from './station-texts.ts';

type Output = Schemas['StationOutput'];
type Recipe = Schemas['StationRecipe'];

const kinds = Object.entries(outputTexts) as [OutputKind, MessageKey][];

/** Where the verdicts go. */
export function OutputFields({ draft: { outputs }, problem, onChange }: FieldsProps) {
  const change = (index: number, output: Output | undefined) =>
    onChange({ outputs: outputs.flatMap((one, other) => (other === index ? (output ? [output] : []) : [one])) });
  const isFree = (kind: OutputKind) => kind === 'webhook' || outputs.every((output) => output.kind !== kind);
  return (
    <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
      <legend className="float-left mb-1 text-[15px] font-semibold">{t('outputs')}</legend>
      {outputs.map((output, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: an output has no other name
          key={index}
          className="flex flex-col gap-3 rounded-md border border-line p-3"
        >
          <div className="flex items-center justify-between">
            <span className="font-medium">{t(outputTexts[output.kind])}</span>
            <IconButton
              icon="close"
              label={t('takeOut', { name: t(outputTexts[output.kind]) })}
              className="size-8"
              onClick={() => change(index, undefined)}
            />
          </div>
          {problem(`outputs.${index}.kind`) && <ErrorNote>{problem(`outputs.${index}.kind`)}</ErrorNote>}
          <OutputSettings
            output={output}
            problem={(key) => problem(`outputs.${index}.${key}`)}
            onChange={(changes) => change(index, { ...output, ...changes })}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        {kinds
          .filter(([kind]) => isFree(kind))
          .map(([kind, text]) => (
            <Button
              key={kind}
              label={t(text)}
              size="small"
              icon="plus"
              onClick={() => onChange({ outputs: [...outputs, kind === 'modbus' ? { kind, unit: 1 } : { kind }] })}
            />
          ))}
      </div>
    </fieldset>
  );
}

interface OutputSettingsProps {
  output: Output;
  problem: (key: string) => string | undefined;
  onChange: (changes: Partial<Output>) => void;
}

function OutputSettings({ output, problem, onChange }: OutputSettingsProps) {
  if (output.kind === 'webhook')
    return (
      <TextField
        label="URL"
        error={problem('url')}
        required
        type="url"
        maxLength={2000}
        value={output.url ?? ''}
        onChange={(event) => onChange({ url: event.target.value })}
      />
    );
  if (output.kind !== 'modbus') return null;
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <NumberField
          label={t('modbusUnit')}
          error={problem('unit')}
          required
          min={1}
          max={247}
          value={output.unit}
          onNumber={(unit) => onChange({ unit: unit ?? 1 })}
        />
        <NumberField
          label={t('modbusTimeout')}
          error={problem('timeout_ms')}
          required
          min={50}
          max={60_000}
          value={output.timeout_ms ?? 2000}
          onNumber={(timeout_ms) => onChange({ timeout_ms: timeout_ms ?? 2000 })}
        />
      </div>
      <Recipes
        recipes={output.recipes ?? []}
        error={problem('recipes')}
        onChange={(recipes) => onChange({ recipes: [...recipes] })}
      />
    </>
  );
}

interface RecipesProps {
  recipes: readonly Recipe[];
  error: string | undefined;
  onChange: (recipes: readonly Recipe[]) => void;
}

/** The numbers by which a controller chooses a model. */
function Recipes({ recipes, error, onChange }: RecipesProps) {
  const { models, labelOf } = useModels();
  const change = (index: number, changes: Partial<Recipe>) =>
    onChange(recipes.map((recipe, other) => (other === index ? { ...recipe, ...changes } : recipe)));
  const next = Math.max(0, ...recipes.map(({ number }) => number)) + 1;
  const [first] = models;
  return (
    <section className="flex flex-col gap-2">
      <h4 className="text-[13px] font-medium">{t('recipes')}</h4>
      {recipes.map((recipe, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its number may be typed anew
        <span key={index} className="flex gap-2">
          <NumberInput
            aria-label={t('recipeNumber')}
            className="max-w-24"
            min={1}
            max={65_535}
            value={recipe.number}
            onNumber={(number) => change(index, { number: number ?? next })}
          />
          <Select
            aria-label={t('model')}
            value={recipe.model_id}
            options={models.map((model) => [model.model_id, labelOf(model)] as const)}
            onChange={(model_id) => change(index, { model_id })}
          />
          <IconButton
            icon="close"
            label={t('takeOut', { name: t('recipe', { n: recipe.number }) })}
            onClick={() => onChange(recipes.filter((one) => one !== recipe))}
          />
        </span>
      ))}
      {error && <ErrorNote>{error}</ErrorNote>}
      {first && (
        <Button
          label={t('addRecipe')}
          size="small"
          icon="plus"
          className="self-start"
          onClick={() => onChange([...recipes, { number: next, model_id: first.model_id }])}
        />
      )}
    </section>
  );
}
