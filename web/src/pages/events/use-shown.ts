import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';

/** What an entry of the browser's history keeps about the list. */
interface Shown {
  /** How many events the list began with. */
  readonly first: number;
  /** How many it showed after the last "Show more". */
  readonly shown: number;
}

/** With how many events the list begins: as many as it showed before if the person comes back to it, otherwise one page. */
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
