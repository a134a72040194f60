import { useLocation, useNavigate } from 'react-router-dom';

export const useShown = (perPage: number): readonly [shown: number, show: (count: number) => void] => {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const { shown = perPage }: { readonly shown?: number } = state ?? {};
  const show = (count: number): void => {
    navigate({ search }, { replace: true, state: { shown: count } });
  };
  return [shown, show];
};
