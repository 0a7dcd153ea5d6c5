import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    // Files of their own, so that pages stay small and the browser keeps them.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What every page loads, in two files: many small ones compress worse.
            codeSplitting: {
              groups: [
                {
                  name: 'framework',
                  test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
                  priority: 2,
                },
                {
                  name: 'shell',
                  test: /\/web\/(?:shell\/|lib\/(?:page-meta|session|use-hydrated)\.|ui\/(?:button|stars)\.)/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
