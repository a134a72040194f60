import { styled, Text, View } from 'tamagui';

export const LogoFrame = styled(View, {
  name: 'Logo',
  className: 'logo',
  display: 'flex',
  flexDirection: 'row',
  alignItems: 'center',
  gap: '$8',
  minHeight: 44,
  flexShrink: 0,
});

export const Wordmark = styled(Text, {
  name: 'Wordmark',
  fontFamily: '$heading',
  fontSize: 26,
  lineHeight: 30,
  fontWeight: '800',
  letterSpacing: -1,
  color: '$paper',
});

export const LogoMark = () => (
  <svg width="17" height="24" viewBox="0 0 17 24" aria-hidden="true" focusable="false">
    <g fill="var(--lime)">
      <circle cx="3" cy="8.5" r="2.5" />
      <circle cx="3" cy="16.5" r="2.5" />
      <rect x="8.4" y="1" width="1.8" height="22" rx="0.9" />
      <rect x="12.6" y="1" width="4.4" height="22" rx="1.4" />
    </g>
  </svg>
);

export const LogoImage = ({ url, name }: { url: string; name: string }) => (
  <img src={url} alt={name} height={32} style={{ height: 32, width: 'auto', maxWidth: 160 }} />
);
