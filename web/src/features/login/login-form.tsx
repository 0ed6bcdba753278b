import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { logIn } from '../../api/kensa.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote, Form, TextField } from '../../components/field.tsx';
import { errorText } from '../../components/toast.tsx';
import { t } from '../../i18n/text.ts';

export function LoginForm({ clientId = '', onDone }: { clientId?: string; onDone?: () => unknown }) {
  const [id, setId] = useState(clientId);
  const [secret, setSecret] = useState('');
  const secretField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: () => logIn(id.trim(), secret.trim()),
    onSuccess: () => onDone?.(),
    onError: () => {
      secretField.current?.select();
      secretField.current?.focus();
    },
  });
  const { error } = login;
  return (
    <Form onSubmit={login.mutate} className="flex flex-col gap-4">
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
      {error && <ErrorNote>{errorText(error)}</ErrorNote>}
      <Button label={t('logIn')} type="submit" look="primary" disabled={login.isPending} />
    </Form>
  );
}
