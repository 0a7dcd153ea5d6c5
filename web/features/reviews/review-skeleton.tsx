import { Skeleton } from '#web/ui/skeleton.tsx';

/** As high as a short review, so that the page keeps its shape. */
export function ReviewSkeletons({ count = 3 }: { count?: number }) {
  return Array.from({ length: count }, (_, place) => place).map((place) => (
    <div
      key={place}
      className="grid gap-x-12 gap-y-4 border-t border-rule py-8 md:grid-cols-[13rem_1fr]"
    >
      <div className="flex flex-col gap-2">
        <Skeleton className="h-6 w-32" />
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-24" />
      </div>
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-72 max-w-full" />
        <Skeleton className="h-4 w-full max-w-[42rem]" />
        <Skeleton className="h-4 w-full max-w-[42rem]" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </div>
  ));
}
