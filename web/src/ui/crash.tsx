import { Component, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';
import { EmptyState, Page } from './page.tsx';

interface Props {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly instead?: ReactNode;
  readonly place?: string;
}

/** Lazily loaded parts fail in old tabs after a release. Resets when `place` changes. */
export class CrashScreen extends Component<Props, { failed?: boolean }> {
  override state: { failed?: boolean } = {};

  static getDerivedStateFromError(): { failed?: boolean } {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.place !== this.props.place) this.setState({ failed: false });
  }

  override render(): ReactNode {
    const { children, waiting, instead } = this.props;
    if (!this.state.failed) return <Suspense fallback={waiting}>{children}</Suspense>;
    if (instead !== undefined) return instead;
    return (
      <Page>
        <EmptyState
          level="h1"
          title="This page didn’t load"
          action={
            <Button kind="primary" onClick={() => location.reload()}>
              Reload Page
            </Button>
          }
        >
          Nothing was lost: your bookings and payments are safe. Reloading usually puts it right.
        </EmptyState>
      </Page>
    );
  }
}
