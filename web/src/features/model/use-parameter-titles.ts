import { useQuery } from '@tanstack/react-query';
import { algorithmsQuery } from '../../api/queries.ts';
import { parameterName } from '../../i18n/server-texts.ts';

/** The titles of parameters by their names. */
export function useParameterTitles(): (name: string) => string {
  const algorithms = useQuery(algorithmsQuery()).data ?? [];
  const parameters = algorithms.flatMap((algorithm) => algorithm.parameters);
  return (name) => {
    const known = parameters.find((parameter) => parameter.name === name);
    return parameterName(name, known?.display_name ?? name);
  };
}
