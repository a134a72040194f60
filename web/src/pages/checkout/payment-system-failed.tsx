import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Cards can't be taken at the moment. */
export const PaymentSystemFailed = () => (
  <Notice
    tone="bad"
    alert
    title="Failed to load payment system"
    action={
      <Button size="small" onClick={() => location.reload()}>
        Reload Page
      </Button>
    }
  >
    Nothing was charged, and your tickets stay held while the time runs.
  </Notice>
);
