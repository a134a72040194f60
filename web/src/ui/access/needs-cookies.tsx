import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

export const NeedsCookies = ({ what }: { what: string }) => (
  <Notice
    tone="warn"
    alert
    title={`${what} needs cookies`}
    action={
      <Button size="small" onClick={() => location.reload()}>
        Reload Page
      </Button>
    }
  >
    Your browser blocks them for this site. Allow them in its settings and reload this page. You can look at
    all events without signing in.
  </Notice>
);
