import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Blank, Page } from '../ui/page.tsx';

/** Shown instead of a page that failed to load or to render, as may happen in an old tab after a new release. It goes when the person goes to another page (`place`). */
export class CrashScreen extends Component<{ children: ReactNode; place: string }, { failedAt?: string }> {
  override state: { failedAt?: string } = {};

  override componentDidCatch(error: Error): void {
    console.error(error);
    this.setState({ failedAt: this.props.place });
  }

  static getDerivedStateFromError(): { failedAt?: string } {
    return { failedAt: '' };
  }

  override componentDidUpdate(before: { place: string }): void {
    if (this.state.failedAt !== undefined && before.place !== this.props.place)
      this.setState({ failedAt: undefined });
  }

  override render(): ReactNode {
    if (this.state.failedAt === undefined) return this.props.children;
    return (
      <Page>
        <Blank
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
