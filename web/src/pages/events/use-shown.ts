import { useLocation, useNavigate } from 'react-router-dom';

/**
 * How many events the list shows, and what has it show more. The entry in the browser's history keeps it, for somebody who comes back
 * to the list.
 */
export const useShown = (perPage: number): readonly [shown: number, show: (count: number) => void] => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const { shown = perPage }: { readonly shown?: number } = state ?? {};
  const show = (count: number): void => {
    navigate({ search }, { replace: true, state: { shown: count } });
  };
  return [shown, show];
};
