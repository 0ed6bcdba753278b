import { useRef, useState } from 'react';
import { KensaError } from '../../../../src/client/kensa-error.ts';
import { logIn } from '../../api/kensa.ts';
import { Button } from '../../components/button.tsx';
import { Form, TextField } from '../../components/field.tsx';
import { useText } from '../../i18n/use-text.ts';

export function LoginForm({ clientId = '', onDone }: { clientId?: string; onDone?: () => unknown }) {
  const t = useText();
  const [id, setId] = useState(clientId);
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const secretField = useRef<HTMLInputElement>(null);

  const submit = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await logIn(id.trim(), secret.trim());
      onDone?.();
    } catch (error) {
      setProblem(error instanceof KensaError ? `${error.title}. ${error.message}` : (error as Error).message);
      setBusy(false);
      secretField.current?.select();
      secretField.current?.focus();
    }
  };

  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t('clientId')}
        name="client_id"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <TextField
        label={t('clientSecret')}
        ref={secretField}
        name="client_secret"
        type="password"
        autoComplete="current-password"
        required
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
      {problem !== undefined && (
        <p role="alert" className="rounded-md bg-ng-soft px-3 py-2 text-ng">
          {problem}
        </p>
      )}
      <Button type="submit" look="primary" disabled={busy}>
        {t('logIn')}
      </Button>
    </Form>
  );
}
