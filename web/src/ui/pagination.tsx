import { Row } from './box.tsx';
import { Button } from './button.tsx';
import { pageButtons } from './page-buttons.ts';

export const Pagination = ({
  label,
  page,
  pages,
  onPage,
}: {
  label: string;
  /** Counted from 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
}) => {
  if (pages < 2) return null;
  // Uses `aria-disabled`: a truly disabled button would lose the keyboard focus.
  const step = (words: string, to: number) => (
    <Button
      size="compact"
      kind="plain"
      aria-disabled={to < 1 || to > pages || undefined}
      onClick={() => (to < 1 || to > pages ? undefined : onPage(to))}
    >
      {words}
    </Button>
  );
  return (
    <Row render="nav" aria-label={label} gap="$4" flexWrap="wrap">
      {step('Previous', page - 1)}
      {pageButtons(page, pages).map((number) => (
        <Button
          key={number}
          size="compact"
          kind={number === page ? 'outline' : 'plain'}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onPage(number)}
        >
          {number}
        </Button>
      ))}
      {step('Next', page + 1)}
    </Row>
  );
};
