import { Component, type ReactNode, Suspense } from 'react';
import { Button } from '../ui/button.tsx';
import { Blank, Page } from '../ui/page.tsx';

interface Props {
  readonly children: ReactNode;
  /** Shown while its code loads. */
  readonly waiting: ReactNode;
  /** Shown where it fails, in place of this screen. */
  readonly instead?: ReactNode;
  readonly place?: string;
}

/**
 * Around what is loaded late: a page, or a part of one. Shown instead of it where it failed to load or to render, as may happen in an old
 * tab after a new release. It goes when the person goes to another page (`place`).
 */
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
        <Blank
          level="h1"
          title="This page didn’t load"
          action={
            <Button kind="primary" onClick={() => location.reload()}>
              Reload Page
            </Button>
          }
        >
          Nothing was lost: your bookings and payments are safe. Reloading usually puts it right.
        </Blank>
      </Page>
    );
  }
}
