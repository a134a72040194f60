import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { type CategoryCommand, category, categorySlug, graphemes } from './category.ts';
import type { CategoryEvent, ImageEvent, SiteConfigEvent } from './events.ts';
import { image } from './image.ts';
import { settingOf, siteConfig } from './site-config.ts';

const looks = { name: 'Culture & Arts', emoji: '🎭', description: 'Stages and galleries' };
const added: CategoryEvent = { type: 'CategoryAdded', data: { categoryId: 4, slug: 'culture', ...looks } };
const archived: CategoryEvent = { type: 'CategoryArchived', data: { categoryId: 4, slug: 'culture' } };
const add: CategoryCommand = { type: 'AddCategory', categoryId: 4, slug: 'culture', ...looks };
const edit: CategoryCommand = { type: 'EditCategory', ...looks };

describe('an image', () => {
  const size = { format: 'webp', bytes: 9, width: 4, height: 3 };
  const facts = { imageId: 3, originalName: 'a.png', use: 'event', path: '/images/a.webp', ...size } as const;
  const addedImage: ImageEvent = { type: 'ImageAdded', data: facts };
  const removed: ImageEvent = { type: 'ImageRemoved', data: { imageId: 3 } };

  it('is added and removed once, unless something uses it', () => {
    given(image, [])
      .when({ type: 'AddImage', ...facts })
      .then([addedImage]);
    given(image, [addedImage])
      .when({ type: 'AddImage', ...facts })
      .thenNothing();
    given(image, []).when({ type: 'RemoveImage', usedBy: [] }).thenRejected('NOT_FOUND');
    const use = { kind: 'event', id: 1, name: 'Paper Moons' } as const;
    given(image, [addedImage])
      .when({ type: 'RemoveImage', usedBy: [use] })
      .thenRejected('IN_USE');
    given(image, [addedImage]).when({ type: 'RemoveImage', usedBy: [] }).then([removed]);
    given(image, [addedImage, removed]).when({ type: 'RemoveImage', usedBy: [] }).thenNothing();
  });
});

describe('a category', () => {
  it('has a slug', () => {
    expect(
      ['Concerts', 'Culture & Arts', ' culture & ARTS ', 'Food & Drink', 'Café', '🎭'].map(categorySlug),
    ).toEqual(['concerts', 'culture', 'culture', 'food-drink', 'cafe', '']);
    const renamed = given(category, [added]).when({ ...edit, name: 'Arts' });
    expect(renamed.state).toMatchObject({ slug: 'culture', name: 'Arts' });
  });

  it('is added once, and its slug is reserved until it is archived', () => {
    given(category, []).when(add).then([added]);
    given(category, [added]).when(add).thenNothing();
    given(category, [added])
      .when({ ...add, categoryId: 5 })
      .thenRejected('NAME_TAKEN');
    const again = given(category, [added, archived]).when({ ...add, categoryId: 5 });
    expect(again.state).toMatchObject({ categoryId: 5, archived: false });
  });

  it.each(['🎭🎵', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿🇬🇧', '🍽️'])('counts the characters of %s as people do', (emoji) => {
    expect(graphemes(emoji)).toBeLessThanOrEqual(2);
    expect(given(category, []).when({ ...add, emoji }).decision).toHaveLength(1);
  });

  it.each([
    ['three characters', { emoji: '🎭🎵🎬' }, 'Emoji must be at most 2 characters'],
    ['no emoji', { emoji: ' ' }, 'Please provide both name and emoji for the category'],
    ['no name', { name: '' }, 'Please provide both name and emoji for the category'],
  ])('refuses %s', (_, changes, message) => {
    for (const command of [add, edit]) {
      const history = command === add ? [] : [added];
      const { decision } = given(category, history).when({ ...command, ...changes });
      expect(decision).toMatchObject({ rejected: 'BAD_INPUT', details: { errors: [message] } });
    }
  });

  it('is edited if something differs', () => {
    given(category, [added]).when(edit).thenNothing();
    given(category, []).when(edit).thenRejected('NOT_FOUND');
    given(category, [added, archived])
      .when({ ...edit, name: 'Arts' })
      .thenRejected('NOT_FOUND');
  });

  it('is archived if nothing uses it', () => {
    const usedBy = [{ kind: 'event', id: 7, name: 'Night Ferry' }] as const;
    given(category, [added]).when({ type: 'ArchiveCategory', usedBy }).thenRejected('IN_USE');
    given(category, [added]).when({ type: 'ArchiveCategory', usedBy: [] }).then([archived]);
    given(category, [added, archived]).when({ type: 'ArchiveCategory', usedBy: [] }).thenNothing();
  });

  it('is restored if something began to use it while it was archived', () => {
    given(category, [added, archived]).when({ type: 'RestoreCategory' }).then([added]);
    given(category, [added]).when({ type: 'RestoreCategory' }).thenNothing();
  });
});

describe('the site’s configuration', () => {
  const change = (key: string, value: string) =>
    ({ type: 'ChangeSetting', key, value, description: '', category: 'general' }) as const;
  const changed = (key: string, value: string): SiteConfigEvent => ({
    type: 'SettingChanged',
    data: { key, value, description: '', category: 'general' },
  });

  it('changes a setting once', () => {
    given(siteConfig, [])
      .when(change('site_name', ' Encore '))
      .then([changed('site_name', 'Encore')]);
    given(siteConfig, [changed('site_name', 'Encore')])
      .when(change('site_name', 'Encore'))
      .thenNothing();
  });

  it.each([
    ['constructor', 'x'],
    ['site_name', ' '],
    ['booking_enabled', 'yes'],
    ['events_per_page', '0'],
    ['events_per_page', '201'],
    ['featured_events_limit', 'six'],
    ['social_facebook', 'javascript:alert(1)'],
    ['social_instagram', 'http://instagram.com/reprise'],
    ['hero_image_url', 'data:image/png;base64,AAAA'],
    ['hero_image_url', '//elsewhere.test/hero.jpg'],
    ['contact_email', 'nobody'],
  ])('refuses %s = "%s"', (key, value) => {
    given(siteConfig, []).when(change(key, value)).thenRejected('BAD_INPUT');
  });

  it.each([
    ['social_facebook', 'https://facebook.com/reprise'],
    ['hero_image_url', '/hero-bg.jpg'],
    ['site_logo_url', 'https://cdn.test/logo.webp'],
    ['contact_email', 'hello@reprise.test'],
  ])('accepts %s = "%s"', (key, value) => {
    given(siteConfig, [])
      .when(change(key, value))
      .then([changed(key, value)]);
  });

  it('resets a setting to its default once', () => {
    const reset = { type: 'ResetSetting', key: 'site_name' } as const;
    const done = { type: 'SettingReset', data: { key: 'site_name' } } as const;
    given(siteConfig, [changed('site_name', 'Encore')])
      .when(reset)
      .then([done]);
    given(siteConfig, [changed('site_name', 'Encore'), done])
      .when(reset)
      .thenNothing();
    given(siteConfig, [])
      .when({ ...reset, key: 'constructor' })
      .thenRejected('NOT_FOUND');
  });

  it('holds the defaults until a setting is changed', () => {
    expect(settingOf(fold(siteConfig, []), 'booking_enabled')).toBe('true');
    const off = fold(siteConfig, [changed('booking_enabled', 'false')]);
    expect(settingOf(off, 'booking_enabled')).toBe('false');
    expect(settingOf(off, 'events_per_page')).toBe('12');
  });
});
