import { expect, test } from 'vitest';
import { cameraProblemOf } from './camera-problem.ts';

test.each([
  [new DOMException('Permission denied', 'NotAllowedError'), 'Camera Permission Denied'],
  ['Error getting userMedia, error = NotFoundError: Requested device not found', 'No Camera Found'],
  ['Error getting userMedia, error = NotReadableError: Could not start video source', 'Camera Busy'],
  [new DOMException('', 'OverconstrainedError'), 'Camera Constraints Error'],
  [new DOMException('', 'NotSupportedError'), 'Browser Not Supported'],
  ['something else', 'Camera Access Failed'],
])('the camera’s error %s is shown as %s', (error, title) => {
  expect(cameraProblemOf(error).title).toBe(title);
});
