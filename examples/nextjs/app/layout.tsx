import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import './style.css';
import './held.css';

export const metadata: Metadata = {
  title: 'Inbox assistant',
  description: 'An assistant whose calls a person approves',
};
export const viewport: Viewport = { colorScheme: 'light dark' };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
