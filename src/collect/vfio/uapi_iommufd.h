/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What linux/iommufd.h and linux/vfio.h say since Linux 6.6: declared here, in
 * names of our own, since the headers of older systems lack it. All of it is
 * of the interface to user space, which does not change.
 */
#ifndef PCB_COLLECT_VFIO_UAPI_IOMMUFD_H
#define PCB_COLLECT_VFIO_UAPI_IOMMUFD_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Of the file of a device; sizes count all members. */
#define DEVICE_BIND   _IO(';', 100 + 18)
#define DEVICE_ATTACH _IO(';', 100 + 19)

struct device_bind {
	__u32 size;
	__u32 flags;
	__s32 iommufd;
	__u32 device; /* set */
};

struct device_attach {
	__u32 size;
	__u32 flags;
	__u32 space;
};

/* Of /dev/iommu. */
#define SPACE_ALLOC  _IO(';', 0x81)
#define SPACE_RANGES _IO(';', 0x84)
#define SPACE_MAP    _IO(';', 0x85)
#define SPACE_UNMAP  _IO(';', 0x86)

#define MAP_AT_IOVA  1
#define MAP_WRITABLE 2
#define MAP_READABLE 4

struct space_alloc {
	__u32 size;
	__u32 flags;
	__u32 space; /* set */
};

struct space_range {
	__aligned_u64 first;
	__aligned_u64 last;
};

struct space_ranges {
	__u32 size;
	__u32 space;
	__u32 n; /* of the table; set to those there are */
	__u32 reserved;
	__aligned_u64 table;
	__aligned_u64 alignment; /* set */
};

struct space_map {
	__u32 size;
	__u32 flags;
	__u32 space;
	__u32 reserved;
	__aligned_u64 at;
	__aligned_u64 length;
	__aligned_u64 iova;
};

struct space_unmap {
	__u32 size;
	__u32 space;
	__aligned_u64 iova;
	__aligned_u64 length;
};

#endif
