import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { categoryRequest } from '#domain/contracts/admin-categories.ts';
import { editPromotionRequest } from '#domain/contracts/admin-promotions.ts';
import { check, useForm } from './form.ts';

it('a field is named by its label in the form', () => {
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

const problemsOf = (checked: ReturnType<typeof check>) => (checked.ok ? {} : checked.problems);

describe('a form’s errors', () => {
  it('merge a message shared by two fields and mark both', () => {
    const both = 'Please provide both name and emoji for the category';
    expect(problemsOf(check(categoryRequest, { name: '', emoji: '' }))).toEqual({ name: both, emoji: '' });
    expect(problemsOf(check(categoryRequest, { name: 'Jazz', emoji: '' }))).toEqual({ emoji: both });
  });

  it('come before those of later fields', () => {
    const form = { name: '', code: '', discountType: 'fixed', discountValue: '1', validFrom: '2026-12-04' };
    expect(problemsOf(check(editPromotionRequest, { ...form, usageLimit: null, validUntil: '' }))).toEqual({
      name: 'Please fill in promotion name and code',
      code: '',
      validUntil: 'Say when it ends',
    });
  });
});
