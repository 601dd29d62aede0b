'use client';
import { useEffect } from 'react';

export default function Page() {
  // In the browser only: the page is drawn on the server too.
  useEffect(() => {
    void import('../node-in-a-page.js');
  }, []);
  return <h1>Tabnode</h1>;
}
