import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useForm } from './form.ts';

test('a field has its name in the form', () => {
  const Form = () => {
    const { field } = useForm(
      { confirmPassword: '' },
      (form) => ({ ok: true, value: form }),
      () => undefined,
    );
    const { error: _, ...input } = field('confirmPassword');
    return createElement('input', input);
  };
  expect(renderToStaticMarkup(createElement(Form))).toContain('name="confirmPassword"');
});
