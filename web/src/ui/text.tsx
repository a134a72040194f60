import type { ReactNode } from 'react';
import { styled, Text as TamaguiText } from 'tamagui';
import { rem } from './theme/tokens.ts';

export const Text = styled(TamaguiText, {
  name: 'Text',
  fontFamily: '$body',
  fontSize: '$body',
  lineHeight: '$body',
  color: '$paper',
  variants: {
    size: {
      small: { fontSize: '$small', lineHeight: '$small' },
      body: { fontSize: '$body', lineHeight: '$body' },
      lead: { fontSize: '$lead', lineHeight: '$lead' },
    },
    tone: {
      paper: { color: '$paper' },
      dim: { color: '$dim' },
      lime: { color: '$lime' },
      good: { color: '$good' },
      warn: { color: '$warn' },
      bad: { color: '$bad' },
    },
    strong: { true: { fontWeight: '650' } },
    figures: { true: { fontVariant: ['tabular-nums'] } },
  } as const,
});

/** In rem, capped by viewport width, so that words still fit a line at large text sizes. */
const atMost = (pixels: number, share: number): string => `min(${rem(pixels)}, ${share}vw)`;

export const Heading = styled(TamaguiText, {
  name: 'Heading',
  render: 'h2',
  fontFamily: '$heading',
  fontWeight: '700',
  color: '$paper',
  letterSpacing: -0.4,
  textWrap: 'balance',
  variants: {
    size: {
      body: { fontSize: '$body', lineHeight: '$body', letterSpacing: 0 },
      lead: { fontSize: '$lead', lineHeight: '$lead', letterSpacing: -0.2 },
      title: { fontSize: '$title', lineHeight: '$title' },
      headline: {
        fontSize: atMost(29, 11.5),
        lineHeight: atMost(33, 13),
        $md: { fontSize: '$headline', lineHeight: '$headline' },
      },
      poster: {
        fontSize: atMost(38, 14.5),
        lineHeight: atMost(40, 15.5),
        letterSpacing: -1,
        $md: { fontSize: '$poster', lineHeight: '$poster', letterSpacing: -1.4 },
      },
      marquee: {
        fontSize: atMost(46, 17),
        lineHeight: atMost(46, 17),
        letterSpacing: -1.6,
        $md: { fontSize: rem(66), lineHeight: rem(64), letterSpacing: -2.4 },
        $xl: { fontSize: '$marquee', lineHeight: '$marquee', letterSpacing: -3 },
      },
    },
    tone: { paper: { color: '$paper' }, dim: { color: '$dim' }, lime: { color: '$lime' } },
    figures: { true: { fontVariant: ['tabular-nums'] } },
  } as const,
  defaultVariants: { size: 'title' },
});

export const Unseen = ({
  children,
  render: Tag = 'span',
}: {
  children: ReactNode;
  render?: 'span' | 'h2';
}) => <Tag className="unseen">{children}</Tag>;
