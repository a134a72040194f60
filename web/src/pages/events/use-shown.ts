import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** What an entry of the browser's history knows of its list. */
interface Shown {
  /** How many the list began with. */
  readonly first: number;
  /** How many were shown when somebody last asked for more. */
  readonly shown: number;
}

/** How long a list begins, so that whoever comes back to it finds all that they had unfolded. */
export const useShown = (perPage: number): { first: number; remember: (shown: number) => void } => {
  const { search, state } = useLocation();
  const back = useNavigationType() === 'POP';
  const navigate = useNavigate();
  const before: Partial<Shown> = state ?? {};
  const first = (back ? before.shown : before.first) ?? perPage;
  const remember = (shown: number) => {
    const next: Shown = { first, shown };
    navigate({ search }, { replace: true, state: next });
  };
  return { first, remember };
};
