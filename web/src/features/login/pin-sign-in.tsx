import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Schemas } from '../../../../src/client/shapes.ts';
import { signInByPin } from '../../api/kensa.ts';
import { commitDeletes } from '../../api/pending-deletes.ts';
import { queryClient } from '../../api/queries.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { errorText } from '../../components/toast.tsx';
import { forgetAllChanges } from '../../components/undo.ts';
import { t } from '../../i18n/text.ts';
import { lastVerdicts } from '../item/last-verdicts.tsx';

type Person = Schemas['TerminalPerson'];

/** What the next person must not take back or see. */
export function forgetPerson(): void {
  forgetAllChanges();
  lastVerdicts.set([]);
}

/** Who may take over this terminal. */
export function SwitchPersonDialog({ people, onClose }: { people: readonly Person[]; onClose: () => void }) {
  const done = async () => {
    onClose();
    forgetPerson();
    await queryClient.resetQueries();
  };
  return (
    <Dialog title={t('switchPerson')} onClose={onClose}>
      <PinSignIn people={people} before={commitDeletes} onDone={done} />
    </Dialog>
  );
}

interface PinSignInProps {
  people: readonly Person[];
  /** What needs the session until now. */
  before?: () => Promise<unknown>;
  onDone?: () => unknown;
}

/** A person of the terminal, then the PIN: by keys, mouse or finger. */
export function PinSignIn({ people, before, onDone }: PinSignInProps) {
  const [chosen, setChosen] = useState<Person | undefined>(people.length === 1 ? people[0] : undefined);
  if (!chosen)
    return (
      <ul aria-label={t('whoWorks')} className="grid grid-cols-2 gap-2">
        {people.map((person) => (
          <li key={person.user_id}>
            <button type="button" className={`${buttonClass()} min-h-14! w-full`} onClick={() => setChosen(person)}>
              <span className="truncate">{person.name}</span>
            </button>
          </li>
        ))}
      </ul>
    );
  return (
    <PinForm
      person={chosen}
      onBack={people.length > 1 ? () => setChosen(undefined) : undefined}
      before={before}
      onDone={onDone}
    />
  );
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const;
const longestPin = 8;

interface PinFormProps {
  person: Person;
  onBack: (() => void) | undefined;
  before: PinSignInProps['before'] | undefined;
  onDone: PinSignInProps['onDone'] | undefined;
}

function PinForm({ person, onBack, before, onDone }: PinFormProps) {
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await before?.();
      await signInByPin(person.user_id, pin);
    },
    onSuccess: () => onDone?.(),
    onError: () => {
      setPin('');
      field.current?.focus();
    },
  });
  return (
    <Form onSubmit={mutate} className="flex flex-col gap-4">
      <TextField
        ref={field}
        label={t('pinOf', { name: person.name })}
        name="pin"
        type="password"
        // The digits below take the place of the keyboard of a phone.
        inputMode="none"
        autoComplete="one-time-code"
        autoFocus
        required
        pattern="[0-9]{4,8}"
        maxLength={longestPin}
        value={pin}
        onChange={(event) => setPin(event.target.value.replace(/\D/g, ''))}
      />
      <div className="grid grid-cols-3 gap-2">
        {digits.map((digit) => (
          <button
            key={digit}
            type="button"
            className={`${buttonClass()} min-h-12! text-lg ${digit === '0' ? 'col-start-2' : ''}`}
            onClick={() => setPin(`${pin}${digit}`.slice(0, longestPin))}
          >
            {digit}
          </button>
        ))}
        <button
          type="button"
          aria-label={t('pinTakeBack')}
          className={`${buttonClass()} min-h-12! text-lg`}
          onClick={() => setPin(pin.slice(0, -1))}
        >
          ⌫
        </button>
      </div>
      {error && <ErrorNote>{errorText(error)}</ErrorNote>}
      <div className="flex gap-2">
        {onBack && <Button label={t('otherPerson')} onClick={onBack} />}
        <Button
          label={t('logIn')}
          type="submit"
          look="primary"
          className="flex-1"
          disabled={isPending || pin.length < 4}
        />
      </div>
    </Form>
  );
}
