// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures a GPU's link by CUDA alone, with no code of pcb-tools: a second
 * program for the figures of doc/h100.md, and the runs that decide their causes.
 *
 *	nvcc -O3 -arch=sm_90 -o peer peer.cu
 *	./peer copies|warps|counts|places|pages|idle|keep|range-to|range-from >rows.csv
 *
 * copies	both directions of the copy engines, alone and together
 * warps	transfers of 32 to 512 bytes by a warp
 * counts	as warps, fewer, for a profiler that counts bytes on the link
 * places	latency by SM and by address
 * pages	rate and latency by window, stride, page size and part for each SM
 * idle		latency after a pause
 * range-to, range-from	64 copies, a range for that profiler
 * keep		each of six loads for three seconds, for a counter of the driver
 *
 * Rates are 10^9 bytes per second of payload; medians of runs.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <time.h>
#include <vector>
#include <cuda_profiler_api.h>

#define CHECK(call) check((call), #call, __LINE__)

static void
check(cudaError_t error, const char *call, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "peer: line %d: %s: %s\n", line, call,
	    cudaGetErrorString(error));
	exit(2);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
median(std::vector<double> v)
{
	std::sort(v.begin(), v.end());
	return v.empty() ? 0 : v[v.size() / 2];
}

enum memory { PAGES_4K, PAGES_2M, DEVICE };

static const char *const memories[] = {"host-4K", "host-2M", "device"};

/* Returns memory as a GPU sees it; sets *host to what the CPU sees. */
static char *
take(enum memory memory, size_t size, char **host)
{
	void *p, *device;

	*host = NULL;
	if (memory == DEVICE) {
		CHECK(cudaMalloc(&device, size));
		CHECK(cudaMemset(device, 1, size));
		return (char *)device;
	}
	p = mmap(NULL, size + (2 << 20), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		perror("peer: mmap");
		exit(2);
	}
	p = (void *)(((uintptr_t)p + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
	madvise(p, size, memory == PAGES_2M ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	memset(p, 1, size);
	CHECK(cudaHostRegister(p, size, cudaHostRegisterMapped));
	CHECK(cudaHostGetDevicePointer(&device, p, 0));
	*host = (char *)p;
	return (char *)device;
}

static void
give_back(enum memory memory, char *device, char *host, size_t size)
{
	if (memory == DEVICE) {
		CHECK(cudaFree(device));
		return;
	}
	CHECK(cudaHostUnregister(host));
	munmap(host, size);
}

__device__ static inline uint32_t
mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

__device__ static inline unsigned long long
global_ns(void)
{
	unsigned long long t;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

__device__ static inline unsigned
sm_number(void)
{
	unsigned s;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
	return s;
}

/* WORDS of 4 bytes by a lane, volatile: they reach the system's memory. */
template <int WORDS>
__device__ static inline uint32_t
load(const char *p)
{
	uint32_t a, b = 0, c = 0, d = 0;

	if (WORDS == 1)
		asm volatile("ld.volatile.global.u32 %0, [%1];"
		    : "=r"(a) : "l"(p));
	else if (WORDS == 2)
		asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
		    : "=r"(a), "=r"(b) : "l"(p));
	else
		asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
		    : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p));
	return a ^ b ^ c ^ d;
}

template <int WORDS>
__device__ static inline void
store(char *p, uint32_t v)
{
	if (WORDS == 1)
		asm volatile("st.volatile.global.u32 [%0], %1;"
		    :: "l"(p), "r"(v) : "memory");
	else if (WORDS == 2)
		asm volatile("st.volatile.global.v2.u32 [%0], {%1, %1};"
		    :: "l"(p), "r"(v) : "memory");
	else
		asm volatile("st.volatile.global.v4.u32 [%0], {%1, %1, %1, %1};"
		    :: "l"(p), "r"(v) : "memory");
}

/*
 * Each warp makes `count` transfers of `size` bytes in one of n places of
 * `stride` bytes, at an offset of less than `within`. Warps of `writers` of
 * each 8 write. If parts is not 0, the places of an SM are its part of them.
 */
template <int WORDS>
__global__ void
transfers(char *base, uint64_t n, uint64_t stride, unsigned within, unsigned size,
    unsigned count, int writers, unsigned parts, uint32_t seed, uint32_t *sink)
{
	unsigned lane = threadIdx.x % 32;
	unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
	bool active = lane * WORDS * 4 < size, writes = (int)(warp % 8) < writers;
	uint64_t first = 0, m = n;
	uint32_t sum = 0, r = mix(seed ^ (warp * 0x9e3779b9u));

	if (parts) {
		m = n / parts;
		first = sm_number() % parts * m;
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t place;
		uint32_t offset;

		r = mix(r + i);
		place = first + (uint64_t)r * m / 0x100000000ull;
		offset = within > size ? mix(r) % (within / size) * size : 0;
		if (active && writes)
			store<WORDS>(base + place * stride + offset +
			    lane * WORDS * 4, r);
		else if (active)
			sum ^= load<WORDS>(base + place * stride + offset +
			    lane * WORDS * 4);
	}
	if (sum == 0x12345678u)
		*sink = sum;
}

/* Each warp copies `size` bytes at a time from its SM to the host in one piece. */
__global__ void
bulk_writes(char *base, uint64_t n, unsigned size, unsigned count, uint32_t seed)
{
	extern __shared__ __align__(128) char shared[];
	unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
	uint32_t r = mix(seed ^ (warp * 0x9e3779b9u));
	uint32_t from = (uint32_t)__cvta_generic_to_shared(shared);

	if (threadIdx.x % 32)
		return;
	for (unsigned i = 0; i < count; i++) {
		r = mix(r + i);
		asm volatile("cp.async.bulk.global.shared::cta.bulk_group "
		    "[%0], [%1], %2;\ncp.async.bulk.commit_group;\n"
		    "cp.async.bulk.wait_group 0;"
		    :: "l"(base + (uint64_t)r * n / 0x100000000ull * size),
		    "r"(from), "r"(size) : "memory");
	}
}

static uint32_t *sink;

/* Median rate of runs of `launch`, each of `bytes`; one more is not timed. */
template <typename LAUNCH>
static double
median_rate(double bytes, int runs, LAUNCH launch)
{
	cudaEvent_t a, b;
	std::vector<double> rates;
	float ms;

	CHECK(cudaEventCreate(&a));
	CHECK(cudaEventCreate(&b));
	for (int i = 0; i <= runs; i++) {
		CHECK(cudaEventRecord(a));
		launch();
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(b));
		CHECK(cudaEventSynchronize(b));
		CHECK(cudaEventElapsedTime(&ms, a, b));
		if (i)
			rates.push_back(1e-6 * bytes / ms);
	}
	CHECK(cudaEventDestroy(a));
	CHECK(cudaEventDestroy(b));
	return median(rates);
}

static uint32_t seed;

static double
bulk_rate(char *base, uint64_t window, unsigned size, unsigned warps,
    unsigned count, int runs)
{
	return median_rate((double)size * 132 * warps * count, runs, [=] {
		bulk_writes<<<132, 32 * warps, size>>>(base, window / size, size,
		    count, ++seed);
	});
}

static double
rate(char *base, uint64_t n, uint64_t stride, unsigned within, unsigned size,
    unsigned words, unsigned blocks, unsigned warps, unsigned count, int writers,
    unsigned parts, int runs)
{
	auto kernel = words == 1 ? transfers<1> :
	    words == 2 ? transfers<2> : transfers<4>;

	return median_rate((double)size * blocks * warps * count, runs, [=] {
		kernel<<<blocks, 32 * warps>>>(base, n, stride, within, size,
		    count, writers, parts, ++seed, sink);
	});
}

/* A dependent chain by one lane: ticks of clock64 of each load. */
__global__ void
chain(const char *base, uint64_t n, uint64_t stride, unsigned within,
    unsigned count, uint32_t seed, unsigned pause_ns, uint32_t *ticks)
{
	uint32_t r = mix(seed), zero = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned long long until = global_ns() + pause_ns;
		long long begin, end;
		const char *p;
		uint32_t v;

		while (pause_ns && global_ns() < until)
			;
		r = mix(r + i + zero);
		p = base + (uint64_t)r * n / 0x100000000ull * stride +
		    (within > 64 ? mix(r) % (within / 64) * 64 : 0);
		asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin) :: "memory");
		v = load<1>(p);
		zero = v == 0xffffffffu;
		asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0xfffffffe;\n"
		    "@p trap; mov.u64 %0, %%clock64; }"
		    : "=l"(end) : "r"(v) : "memory");
		ticks[i] = (uint32_t)(end - begin);
	}
}

/* Ticks of clock64 in a nanosecond, of a busy SM. */
__global__ void
pace(double *ticks_ns)
{
	unsigned long long t0 = global_ns(), t1;
	long long c0 = clock64();

	while ((t1 = global_ns()) < t0 + 20000000)
		;
	*ticks_ns = (double)(clock64() - c0) / (double)(t1 - t0);
}

static double
ticks_in_ns(void)
{
	double *p, v;

	CHECK(cudaMalloc(&p, sizeof(*p)));
	pace<<<1, 1>>>(p);
	CHECK(cudaMemcpy(&v, p, sizeof(v), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(p));
	return v;
}

static void
print_chain(const char *head, const char *base, uint64_t n, uint64_t stride,
    unsigned within, unsigned count, unsigned pause_ns, double pace_ns)
{
	static uint32_t seed = 99;
	std::vector<uint32_t> v(count);
	double sum = 0;
	uint32_t *ticks;

	CHECK(cudaMalloc(&ticks, count * sizeof(*ticks)));
	chain<<<1, 1>>>(base, n, stride, within, count, ++seed, pause_ns, ticks);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(v.data(), ticks, count * sizeof(*ticks),
	    cudaMemcpyDeviceToHost));
	CHECK(cudaFree(ticks));
	for (uint32_t t : v)
		sum += t;
	std::sort(v.begin(), v.end());
	printf("%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", head,
	    v[0] / pace_ns, v[count / 10] / pace_ns, v[count / 4] / pace_ns,
	    v[count / 2] / pace_ns, v[count * 3 / 4] / pace_ns,
	    v[count * 9 / 10] / pace_ns, v[count * 99 / 100] / pace_ns,
	    sum / count / pace_ns);
	fflush(stdout);
}

static void
copy(int from, char *device, char *host, size_t size, cudaStream_t stream)
{
	if (from)
		CHECK(cudaMemcpyAsync(host, device, size, cudaMemcpyDeviceToHost,
		    stream));
	else
		CHECK(cudaMemcpyAsync(device, host, size, cudaMemcpyHostToDevice,
		    stream));
}

/* The rate of copies that ended at `at`, while those of `other` went on. */
static double
pace_of(const std::vector<float> &at, const std::vector<float> &other, size_t size)
{
	size_t n = at.size();

	while (n > 2 && !other.empty() && at[n - 1] > other.back())
		n--;
	return n < 3 ? 0 : 1e-6 * (double)((n - 2) * size) / (at[n - 1] - at[1]);
}

static void
copies(void)
{
	size_t size[] = {1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};
	cudaStream_t up, down;
	char *host[2], *d[2];

	CHECK(cudaStreamCreate(&up));
	CHECK(cudaStreamCreate(&down));
	for (int i = 0; i < 2; i++) {
		take(PAGES_2M, 256 << 20, &host[i]);
		CHECK(cudaMalloc(&d[i], 256 << 20));
	}
	printf("memory,direction,size_bytes,to_gb_s,from_gb_s,whole_gb_s\n");
	/* 0: to the GPU; 1: from it; 2: both; 3: both, one buffer for both. */
	for (int what = 0; what < 4; what++)
		for (size_t s : size) {
			static const char *const names[] = {"to", "from",
			    "both", "both-one-buffer"};
			std::vector<double> to, from, both;
			int n = (int)((4ull << 30) / s);

			n = n > 512 ? 512 : n;
			for (int run = 0; run < 4; run++) {
				std::vector<cudaEvent_t> e[2];
				std::vector<float> at[2];
				cudaEvent_t start;
				double t = now();

				CHECK(cudaEventCreate(&start));
				CHECK(cudaEventRecord(start, up));
				CHECK(cudaStreamWaitEvent(down, start));
				for (int i = 0; i < n; i++)
					for (int k = 0; k < 2; k++) {
						cudaEvent_t x;
						cudaStream_t stream = k ? down : up;

						if (what == 1 - k)
							continue;
						copy(k, d[what == 3 ? 0 : k],
						    host[what == 3 ? 0 : k], s,
						    stream);
						CHECK(cudaEventCreate(&x));
						CHECK(cudaEventRecord(x, stream));
						e[k].push_back(x);
					}
				CHECK(cudaDeviceSynchronize());
				t = now() - t;
				for (int k = 0; k < 2; k++)
					for (cudaEvent_t x : e[k]) {
						float ms;

						CHECK(cudaEventElapsedTime(&ms,
						    start, x));
						at[k].push_back(ms);
						CHECK(cudaEventDestroy(x));
					}
				CHECK(cudaEventDestroy(start));
				if (!run)
					continue;
				to.push_back(pace_of(at[0], at[1], s));
				from.push_back(pace_of(at[1], at[0], s));
				both.push_back(1e-9 * n * (double)s *
				    (what > 1 ? 2 : 1) / t);
			}
			printf("host-2M,%s,%zu,%.2f,%.2f,%.2f\n", names[what], s,
			    median(to), median(from), median(both));
			fflush(stdout);
		}
}

static void
warps(unsigned count, int runs, unsigned least, unsigned most)
{
	static const struct { unsigned size, words; } t[] = {{32, 1}, {64, 1},
	    {64, 4}, {96, 1}, {128, 1}, {128, 4}, {256, 2}, {256, 4}, {512, 4}};
	char *host, *base = take(PAGES_2M, 64 << 20, &host);

	printf("bench,size_bytes,lane_bytes,warps,transfers,gb_s\n");
	for (int writers = 0; writers <= 8; writers += 4)
		for (auto x : t)
			for (unsigned w = least; w <= most; w *= 2)
				printf("%s,%u,%u,%u,%u,%.2f\n",
				    writers == 8 ? "writes" : writers ? "both" :
				    "reads", x.size, x.words * 4, 132 * w,
				    132 * w * count, rate(base,
				    (64 << 20) / x.size, x.size, 0, x.size,
				    x.words, 132, w, count, writers, 0, runs)),
				    fflush(stdout);
	for (unsigned size = 64; size <= 4096; size *= 2)
		printf("bulk-writes,%u,%u,%u,%u,%.2f\n", size, size, 132 * 8,
		    132 * 8 * count / 2, bulk_rate(base, 64 << 20, size, 8,
		    count / 2, runs));
	give_back(PAGES_2M, base, host, 64 << 20);
}

/* Only the block on the SM `only` works; it reads each line `count` times. */
__global__ void
place(const char *base, const uint32_t *lines, unsigned n, unsigned count,
    unsigned only, uint32_t *least, unsigned *claimed)
{
	uint32_t zero = 0;

	if (sm_number() != only || threadIdx.x || atomicAdd(claimed, 1))
		return;
	for (unsigned i = 0; i < n; i++) {
		const char *p = base + 64ull * lines[i];
		uint32_t v, t[9];

		for (unsigned k = 0; k < count; k++) {
			long long begin, end;

			asm volatile("mov.u64 %0, %%clock64;"
			    : "=l"(begin) :: "memory");
			v = load<1>(p + zero);
			zero = v == 0xffffffffu;
			asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, "
			    "0xfffffffe;\n@p trap; mov.u64 %0, %%clock64; }"
			    : "=l"(end) : "r"(v) : "memory");
			t[k] = (uint32_t)(end - begin);
			for (unsigned j = k; j && t[j] < t[j - 1]; j--) {
				uint32_t x = t[j];

				t[j] = t[j - 1];
				t[j - 1] = x;
			}
		}
		least[i] = t[count / 2];
	}
}

static void
places(void)
{
	const unsigned n = 256;
	double ns = ticks_in_ns();
	std::vector<uint32_t> lines(n), v(n);
	uint32_t *d_lines, *d_v;
	unsigned *claimed;

	CHECK(cudaMalloc(&d_lines, n * 4));
	CHECK(cudaMalloc(&d_v, n * 4));
	CHECK(cudaMalloc(&claimed, 4));
	printf("# ticks_in_ns: %.4f\nallocation,pass,sm,line,median_ns\n", ns);
	for (int allocation = 0; allocation < 2; allocation++) {
		char *host, *base = take(PAGES_2M, 64 << 20, &host);

		srand(7);
		for (uint32_t &l : lines)
			l = (uint32_t)rand() % ((64 << 20) / 64);
		CHECK(cudaMemcpy(d_lines, lines.data(), n * 4,
		    cudaMemcpyHostToDevice));
		for (int pass = 0; pass < 2; pass++)
			for (unsigned sm = 0; sm < 132; sm++) {
				CHECK(cudaMemset(claimed, 0, 4));
				CHECK(cudaMemset(d_v, 0, n * 4));
				place<<<132 * 4, 1024>>>(base, d_lines, n, 9, sm,
				    d_v, claimed);
				CHECK(cudaDeviceSynchronize());
				CHECK(cudaMemcpy(v.data(), d_v, n * 4,
				    cudaMemcpyDeviceToHost));
				for (unsigned i = 0; i < n; i++)
					printf("%d,%d,%u,%u,%.0f\n", allocation,
					    pass, sm, lines[i], v[i] / ns);
			}
		give_back(PAGES_2M, base, host, 64 << 20);
	}
}

static void
pages(void)
{
	static const unsigned mib[] = {64, 128, 192, 256, 320, 384, 448, 512, 576,
	    640, 768, 1024, 1536, 2048, 4096, 8192};
	const size_t size = 8ull << 30;
	double ns = ticks_in_ns();
	char head[100];

	printf("memory,access,window_mib,stride_bytes,places,gb_s,"
	    "least_ns,p10_ns,p25_ns,median_ns,p75_ns,p90_ns,p99_ns,mean_ns\n");
	for (int m = PAGES_4K; m <= DEVICE; m++) {
		enum memory memory = (enum memory)m;
		char *host, *base = take(memory, size, &host);

		for (unsigned w : mib) {
			uint64_t bytes = (uint64_t)w << 20;
			double whole = rate(base, bytes / 64, 64, 0, 64, 1, 132,
			    16, 1000, 0, 0, 3);

			snprintf(head, sizeof(head), "%s,random,%u,64,%llu,%.2f",
			    memories[m], w, (unsigned long long)bytes / 64, whole);
			print_chain(head, base, bytes / 64, 64, 0, 8000, 0, ns);
			printf("%s,writes,%u,64,%llu,%.2f,,,,,,,,\n", memories[m],
			    w, (unsigned long long)bytes / 64, rate(base,
			    bytes / 64, 64, 0, 64, 1, 132, 16, 1000, 8, 0, 3));
			printf("%s,part-of-each-sm,%u,64,%llu,%.2f,,,,,,,,\n",
			    memories[m], w, (unsigned long long)bytes / 64,
			    rate(base, bytes / 64, 64, 0, 64, 1, 132, 16, 1000, 0,
			    132, 3));
			printf("%s,one-warp-an-sm,%u,64,%llu,%.2f,,,,,,,,\n",
			    memories[m], w, (unsigned long long)bytes / 64,
			    rate(base, bytes / 64, 64, 0, 64, 1, 132, 1, 2000, 0,
			    0, 3));
		}
		/* Few places far apart: what a table of translations holds. */
		for (uint64_t stride = 64 << 10; stride <= 8 << 20; stride *= 2)
			for (uint64_t n = 64; n * stride <= size && n <= 16384;
			     n *= 2) {
				snprintf(head, sizeof(head),
				    "%s,strided,%llu,%llu,%llu,%.2f", memories[m],
				    (unsigned long long)(n * stride >> 20),
				    (unsigned long long)stride,
				    (unsigned long long)n, rate(base, n, stride,
				    4096, 64, 1, 132, 16, 1000, 0, 0, 3));
				print_chain(head, base, n, stride, 4096, 3000, 0,
				    ns);
			}
		/* Where an entry of that table ends, and how many it has. */
		for (uint64_t stride = 4 << 10; stride <= 256 << 10; stride *= 2)
			printf("%s,probe,%llu,%llu,12288,%.2f,,,,,,,,\n",
			    memories[m], (unsigned long long)(12288 * stride >> 20),
			    (unsigned long long)stride, rate(base, 12288, stride,
			    4096, 64, 1, 132, 16, 1000, 0, 0, 3));
		for (uint64_t n = 8192; n <= 12288; n += 256)
			printf("%s,probe,%llu,65536,%llu,%.2f,,,,,,,,\n",
			    memories[m], (unsigned long long)(n * 65536 >> 20),
			    (unsigned long long)n, rate(base, n, 65536, 4096, 64, 1,
			    132, 16, 1000, 0, 0, 3));
		if (memory != DEVICE) {
			char *copy;

			/* The copy engine, rows of 4 KiB 64 KiB apart. */
			CHECK(cudaMalloc(&copy, size / 16));
			for (unsigned w : mib) {
				uint64_t rows = ((uint64_t)w << 20) / 65536;
				double t = 0;
				int k = 8192 / (int)w + 1;

				for (int run = 0; run < 2; run++) {
					t = now();
					for (int i = 0; i < k; i++)
						CHECK(cudaMemcpy2DAsync(copy, 4096,
						    host, 65536, 4096, rows,
						    cudaMemcpyHostToDevice));
					CHECK(cudaDeviceSynchronize());
					t = now() - t;
				}
				printf("%s,copy-engine-rows,%u,65536,%llu,%.2f,"
				    ",,,,,,,\n", memories[m], w,
				    (unsigned long long)rows,
				    1e-9 * 4096 * (double)rows * k / t);
				fflush(stdout);
			}
			CHECK(cudaFree(copy));
		}
		give_back(memory, base, host, size);
	}
}

static void
idle(void)
{
	static const unsigned pause[] = {0, 1000, 10000, 100000, 1000000, 10000000};
	double ns = ticks_in_ns();
	char head[40], *host, *base = take(PAGES_2M, 64 << 20, &host);

	printf("pause_ns,least_ns,p10_ns,p25_ns,median_ns,p75_ns,p90_ns,p99_ns,"
	    "mean_ns\n");
	for (unsigned p : pause) {
		snprintf(head, sizeof(head), "%u", p);
		print_chain(head, base, (64 << 20) / 64, 64, 0,
		    p >= 10000000 ? 200 : 2000, p, ns);
	}
	give_back(PAGES_2M, base, host, 64 << 20);
}

/* Prints when each load begins and ends, by the clock of the day. */
static void
keep(void)
{
	static const char *const names[] = {"reads-64", "reads-512", "writes-64",
	    "writes-512", "copies-to", "copies-from"};
	char *host, *base = take(PAGES_2M, 64 << 20, &host), *d;

	CHECK(cudaMalloc(&d, 64 << 20));
	printf("load,begin_s,end_s,gb_s\n");
	for (int what = 0; what < 6; what++) {
		unsigned size = what % 2 ? 512 : 64, words = what % 2 ? 4 : 1;
		double begin = now(), bytes = 0;
		time_t day = time(NULL);

		while (now() < begin + 3)
			if (what < 4) {
				for (int i = 0; i < 8; i++)
					if (words == 1)
						transfers<1><<<132, 512>>>(base,
						    (64 << 20) / size, size, 0,
						    size, 4000, what / 2 * 8, 0,
						    (uint32_t)i, sink);
					else
						transfers<4><<<132, 512>>>(base,
						    (64 << 20) / size, size, 0,
						    size, 4000, what / 2 * 8, 0,
						    (uint32_t)i, sink);
				CHECK(cudaDeviceSynchronize());
				bytes += 8.0 * 132 * 16 * 4000 * size;
			} else {
				for (int i = 0; i < 64; i++)
					CHECK(what == 4 ? cudaMemcpyAsync(d, host,
					    64 << 20, cudaMemcpyHostToDevice) :
					    cudaMemcpyAsync(host, d, 64 << 20,
					    cudaMemcpyDeviceToHost));
				CHECK(cudaDeviceSynchronize());
				bytes += 64.0 * (64 << 20);
			}
		printf("%s,%lld,%lld,%.2f\n", names[what], (long long)day,
		    (long long)time(NULL), 1e-9 * bytes / (now() - begin));
		fflush(stdout);
	}
	CHECK(cudaFree(d));
	give_back(PAGES_2M, base, host, 64 << 20);
}

static void
range(int from)
{
	char *host, *d;
	cudaStream_t stream;

	take(PAGES_2M, 64 << 20, &host);
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMalloc(&d, 64 << 20));
	copy(from, d, host, 64 << 20, stream);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaProfilerStart());
	bulk_writes<<<1, 32, 64, stream>>>(host, 1, 64, 1, 1);
	for (int i = 0; i < 64; i++)
		copy(from, d, host, 64 << 20, stream);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaProfilerStop());
	printf("%d copies of %d bytes\n", 64, 64 << 20);
}

int
main(int argc, char **argv)
{
	cudaDeviceProp prop;
	const char *mode = argc > 1 ? argv[1] : "";

	CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
	CHECK(cudaGetDeviceProperties(&prop, 0));
	CHECK(cudaMalloc(&sink, 4));
	printf("# gpu: %s, %d SMs\n", prop.name, prop.multiProcessorCount);
	if (!strcmp(mode, "copies"))
		copies();
	else if (!strcmp(mode, "warps"))
		warps(2000, 5, 2, 32);
	else if (!strcmp(mode, "counts"))
		warps(500, 0, 16, 16);
	else if (!strcmp(mode, "places"))
		places();
	else if (!strcmp(mode, "pages"))
		pages();
	else if (!strcmp(mode, "idle"))
		idle();
	else if (!strcmp(mode, "keep"))
		keep();
	else if (!strcmp(mode, "range-to") || !strcmp(mode, "range-from"))
		range(!strcmp(mode, "range-from"));
	else {
		fprintf(stderr,
		    "usage: peer copies|warps|counts|places|pages|idle|keep|"
		    "range-to|range-from\n");
		return 2;
	}
	return fflush(stdout) ? 2 : 0;
}
